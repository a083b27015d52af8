// TLS cipher suites by the names that Kubernetes takes from Go, and key exchanges by their numbers.
import tables from '#tables'

export const cipherSuites = tables['cipher-suites']
