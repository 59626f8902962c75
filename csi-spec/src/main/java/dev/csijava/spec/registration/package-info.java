/**
 * The messages and stubs of kubelet's plugin registration, generated from {@code
 * pluginregistration/registration.proto}.
 *
 * @since 0.1.0
 */
package dev.csijava.spec.registration;
