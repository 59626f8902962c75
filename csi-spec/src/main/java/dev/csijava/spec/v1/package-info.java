/**
 * The messages and stubs of CSI 1.12 and 1.13 in one, generated from {@code csi/v1/csi.proto}.
 *
 * <p>Wire and JSON form are the published ones. In Java and in descriptors the published field
 * {@code mutable_parameters} is called {@code mutable_params}, because the published name clashes
 * with a generated method of the field {@code parameters}.
 *
 * @since 0.1.0
 */
package dev.csijava.spec.v1;
