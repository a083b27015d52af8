// The label by which pods choose a Windows build.
// https://kubernetes.io/docs/concepts/windows/user-guide/#handling-multiple-windows-versions-in-the-same-cluster

export const windowsBuildLabel = 'node.kubernetes.io/windows-build'

export function windowsBuildValue(build: number): string {
  return `10.0.${build}`
}
