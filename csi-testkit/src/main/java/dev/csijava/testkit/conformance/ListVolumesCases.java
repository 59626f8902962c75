package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** ListVolumes and ControllerGetVolume. */
final class ListVolumesCases implements CaseGroup {
  private static final int MADE = 5;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
                "list-volumes",
                "Every volume is listed once, on one page or on several",
                ListVolumesCases::pages,
                "CTRL-LISTVOL-001",
                "CTRL-LISTVOL-002",
                "CTRL-LISTVOL-003",
                "CTRL-LISTVOL-004",
                "CTRL-LISTVOL-005",
                "CTRL-LISTVOL-007",
                "CTRL-LISTVOL-008",
                "CTRL-LISTVOL-010",
                "CTRL-LISTVOL-011",
                "CTRL-LISTVOL-012",
                "CTRL-LISTVOL-014",
                "CTRL-LISTVOL-015")
            .runAlone(),
        Case.of(
            "CTRL-LISTVOL-006",
            c -> c.refused(() -> list(c, ListVolumesRequest.newBuilder().setMaxEntries(-1)))),
        Case.of(
            "CTRL-LISTVOL-009",
            c -> {
              for (String token : Tokens.BAD) {
                c.refused(() -> list(c, ListVolumesRequest.newBuilder().setStartingToken(token)));
              }
              Outcome<ListVolumesResponse> past =
                  Outcome.of(
                      () -> list(c, ListVolumesRequest.newBuilder().setStartingToken(Tokens.PAST)));
              if (past.ok()) {
                Tokens.nothingMore(
                    c, past.answer().getEntriesCount(), past.answer().getNextToken());
              } else {
                c.judge("CTRL-LISTVOL-009", past, false);
              }
            }),
        Case.of(
            "CTRL-LISTVOL-013",
            c -> {
              Volume volume = c.make().volume();
              c.make().attached(volume, c.requests().capability());
              var nodes =
                  Listing.volumes(c).stream()
                      .filter(entry -> entry.getVolume().getVolumeId().equals(volume.getVolumeId()))
                      .map(entry -> entry.getStatus().getPublishedNodeIdsList())
                      .toList();
              c.same("CTRL-LISTVOL-013", List.of(List.of(c.nodeInfo().getNodeId())), nodes);
            }),
        Case.of("CTRL-LISTVOL-016", ListVolumesCases::changing),
        Case.of("CTRL-GETVOL-002", c -> c.refused(() -> get(c, ""))),
        Case.of("CTRL-GETVOL-003", c -> c.refused(() -> get(c, c.requests().unknownId()))),
        Case.of(
            "get-volume",
            "ControllerGetVolume answers what CreateVolume answered",
            ListVolumesCases::get,
            "CTRL-GETVOL-001",
            "CTRL-GETVOL-004",
            "CTRL-GETVOL-005"),
        Case.of(
            "CTRL-GETVOL-006",
            c -> {
              Volume volume = c.make().volume();
              c.make().attached(volume, c.requests().capability());
              ControllerGetVolumeResponse answer = c.ok(() -> get(c, volume.getVolumeId()));
              c.same(
                  "CTRL-GETVOL-006",
                  List.of(c.nodeInfo().getNodeId()),
                  answer.getStatus().getPublishedNodeIdsList());
            }),
        Case.of(
            "CTRL-GETVOL-007",
            c -> {
              c.needs("ctrl:EXPAND_VOLUME");
              Volume volume = c.make().volume();
              long size =
                  c.prepare(
                          () ->
                              c.controller()
                                  .controllerExpandVolume(
                                      ControllerExpandVolumeRequest.newBuilder()
                                          .setVolumeId(volume.getVolumeId())
                                          .setCapacityRange(
                                              Requests.atLeast(c.settings().expandSize()))
                                          .build()))
                      .getCapacityBytes();
              Volume now = c.ok(() -> get(c, volume.getVolumeId())).getVolume();
              c.check(
                  "CTRL-GETVOL-007",
                  now.getCapacityBytes() == size || now.getCapacityBytes() == 0,
                  size + " bytes, or 0 for unknown",
                  now.getCapacityBytes());
              c.same("CTRL-GETVOL-007", volume.getVolumeContextMap(), now.getVolumeContextMap());
            }));
  }

  private static void pages(CaseContext c) {
    Map<String, Volume> made = new HashMap<>();
    for (int i = 0; i < MADE; i++) {
      Volume volume = c.make().volume();
      made.put(volume.getVolumeId(), volume);
    }
    ListVolumesResponse unlimited =
        c.ok("CTRL-LISTVOL-001", () -> list(c, ListVolumesRequest.newBuilder()));
    c.check(
        "CTRL-LISTVOL-005",
        unlimited.getEntriesCount() > 0,
        "volumes where max_entries is 0",
        unlimited);
    List<ListVolumesResponse.Entry> whole = Listing.volumes(c);
    List<String> ids = ids(whole);
    c.check("CTRL-LISTVOL-002", ids.containsAll(made.keySet()), "all of " + made.keySet(), ids);
    c.check("CTRL-LISTVOL-002", new HashSet<>(ids).size() == ids.size(), "each volume once", ids);
    whole.forEach(entry -> entry(c, entry, made));
    List<ListVolumesResponse> pages = Listing.volumes(c, 2);
    List<String> paged = new ArrayList<>();
    for (ListVolumesResponse page : pages) {
      int entries = page.getEntriesCount();
      c.check("CTRL-LISTVOL-003", entries <= 2, "two entries at most", entries);
      paged.addAll(ids(page.getEntriesList()));
    }
    c.check(
        "CTRL-LISTVOL-004",
        !pages.get(0).getNextToken().isEmpty(),
        "a next_token, since there are " + ids.size(),
        "none");
    c.check(
        "CTRL-LISTVOL-007",
        paged.size() == ids.size() && new HashSet<>(paged).equals(new HashSet<>(ids)),
        "the pages together are the whole list " + ids,
        paged);
    c.check(
        "CTRL-LISTVOL-010",
        pages.get(pages.size() - 1).getNextToken().isEmpty(),
        "no token on the last page",
        "a token without end");
    List<String> anew = ids(Listing.volumes(c));
    c.check(
        "CTRL-LISTVOL-008",
        anew.containsAll(made.keySet()),
        "the whole list again where there is no token",
        anew);
  }

  private static void entry(
      CaseContext c, ListVolumesResponse.Entry entry, Map<String, Volume> made) {
    String id = entry.getVolume().getVolumeId();
    c.check("CTRL-LISTVOL-011", !id.isEmpty(), "a volume with its id", entry);
    c.check("CTRL-LISTVOL-012", entry.hasStatus(), "a status", entry);
    c.check(
        "CTRL-LISTVOL-014", entry.getStatus().hasVolumeCondition(), "a volume_condition", entry);
    Volume known = made.get(id);
    if (known != null) {
      c.same(
          "CTRL-LISTVOL-015", known.getVolumeContextMap(), entry.getVolume().getVolumeContextMap());
    }
  }

  private static void changing(CaseContext c) {
    for (int i = 0; i < 3; i++) {
      c.make().volume();
    }
    ListVolumesRequest.Builder request = ListVolumesRequest.newBuilder().setMaxEntries(1);
    ListVolumesResponse first = c.prepare(() -> list(c, request));
    Volume made = c.make().volume();
    c.prepare(() -> DeleteVolumeCases.delete(c, made.getVolumeId()));
    c.answers("CTRL-LISTVOL-016", () -> list(c, request.setStartingToken(first.getNextToken())));
  }

  private static void get(CaseContext c) {
    Volume made = c.make().volume();
    ControllerGetVolumeResponse answer = c.ok("CTRL-GETVOL-001", () -> get(c, made.getVolumeId()));
    c.check(
        "CTRL-GETVOL-004", answer.hasVolume() && answer.hasStatus(), "volume and status", answer);
    c.same("CTRL-GETVOL-004", made.getVolumeId(), answer.getVolume().getVolumeId());
    c.check(
        "CTRL-GETVOL-005", answer.getStatus().hasVolumeCondition(), "a volume_condition", answer);
  }

  private static List<String> ids(List<ListVolumesResponse.Entry> entries) {
    return entries.stream().map(entry -> entry.getVolume().getVolumeId()).toList();
  }

  private static ListVolumesResponse list(CaseContext c, ListVolumesRequest.Builder request) {
    return c.controller().listVolumes(request.build());
  }

  private static ControllerGetVolumeResponse get(CaseContext c, String id) {
    return c.controller()
        .controllerGetVolume(ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build());
  }
}
