// Which container images a Windows build can run in process isolation.
// https://learn.microsoft.com/en-us/virtualization/windowscontainers/deploy-containers/version-compatibility

/** The first build whose containers newer hosts run too. */
const stableSince = 20348

/** The update revision does not have to match from build 17763 on. */
export function runsImage(host: number, image: number): boolean {
  if (host < stableSince) return image === host
  return stableSince <= image && image <= host
}

/** What the host picks from an index: the newest build that it can run. */
export function pickBuild(host: number, builds: readonly number[]): number | undefined {
  return builds.filter((build) => runsImage(host, build)).toSorted((a, b) => b - a)[0]
}
