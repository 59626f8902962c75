package dev.csijava.monitoring;

import com.sun.net.httpserver.Headers;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** What {@code /metrics} answers, in the format that the scraper asks for. */
final class MetricsPage implements Page.Content {
  private final ExpositionFormats formats = ExpositionFormats.init();
  private final PrometheusRegistry registry;

  MetricsPage(PrometheusRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Page.Answer answer(Headers request) throws IOException {
    ExpositionFormatWriter writer = formats.findWriter(request.getFirst("Accept"));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    writer.write(body, registry.scrape());
    return new Page.Answer(200, writer.getContentType(), body.toByteArray());
  }
}
