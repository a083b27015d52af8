// Correlate: gives findings the place of the layer that last set their path.
import type { Finding } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'

/** Sorted by place; a finding that has one keeps it. */
export function correlate(
  findings: readonly Finding[],
  origin: (path: Path) => Layer | undefined,
): readonly Finding[] {
  return findings.map((finding) => withPlace(finding, origin)).sort(compareFindings)
}

function withPlace(finding: Finding, origin: (path: Path) => Layer | undefined): Finding {
  const place = finding.place ?? origin(finding.path)?.place(finding.path, finding.at)
  return place ? { ...finding, place } : finding
}
