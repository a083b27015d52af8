// Priority classes that the kubelet's process can have on Windows, lowest first.
// https://kubernetes.io/docs/concepts/configuration/windows-resource-management/

export const priorityClasses = [
  'IDLE_PRIORITY_CLASS',
  'BELOW_NORMAL_PRIORITY_CLASS',
  'NORMAL_PRIORITY_CLASS',
  'ABOVE_NORMAL_PRIORITY_CLASS',
  'HIGH_PRIORITY_CLASS',
  'REALTIME_PRIORITY_CLASS',
] as const
