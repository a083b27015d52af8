// Correlate: gives findings the place of the layer that last set their path, without secrets.
import type { Finding } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import { withoutSecrets } from '../model/secret.ts'

/** Sorted by place; a finding that has one keeps it. */
export function correlate(
  findings: readonly Finding[],
  origin: (path: Path) => Layer | undefined,
): readonly Finding[] {
  return findings
    .map((finding) => withPlace(finding, origin))
    .map(concealed)
    .sort(compareFindings)
}

/** A line that is wrong for any reason may hold a secret too; reports end up in logs. */
function concealed(finding: Finding): Finding {
  const { message, place } = finding
  const { excerpt } = place ?? {}
  return {
    ...finding,
    message: withoutSecrets(message),
    ...(place && excerpt !== undefined
      ? { place: { ...place, excerpt: withoutSecrets(excerpt) } }
      : {}),
  }
}

function withPlace(finding: Finding, origin: (path: Path) => Layer | undefined): Finding {
  const place = finding.place ?? origin(finding.path)?.place(finding.path, finding.at)
  return place ? { ...finding, place } : finding
}
