// Feature gates that need others: since 1.35 the programs end where one is on and those are off.
// https://github.com/kubernetes/component-base/blob/master/featuregate/feature_gate.go
import type { Ranged } from '../model/rows.ts'
import { inRange } from './version.ts'

export interface GateNeed extends Ranged {
  readonly gate: string
  readonly needs: readonly string[]
}

const row = (gate: string, range: string, ...needs: readonly string[]): GateNeed => ({
  gate,
  range,
  needs,
})

const gateNeeds: readonly GateNeed[] = [
  row('AuthorizeNodeWithSelectors', '>=1.35 <1.37', 'AuthorizeWithSelectors'),
  row('ClusterTrustBundleProjection', '>=1.35', 'ClusterTrustBundle'),
  row('CompositePodGroup', '>=1.37', 'GenericWorkload', 'TopologyAwareWorkloadScheduling'),
  row('DeclarativeValidationBeta', '>=1.36', 'DeclarativeValidation'),
  row('DeclarativeValidationTakeover', '>=1.35', 'DeclarativeValidation'),
  row('DisableAllocatorDualWrite', '>=1.35', 'MultiCIDRServiceAllocator'),
  row('DRAAdminAccess', '>=1.35', 'DynamicResourceAllocation'),
  row('DRAConsumableCapacity', '>=1.35', 'DynamicResourceAllocation'),
  row('DRADerivedAttributes', '>=1.37', 'DynamicResourceAllocation'),
  row(
    'DRADeviceBindingConditions',
    '>=1.35',
    'DRAResourceClaimDeviceStatus',
    'DynamicResourceAllocation',
  ),
  row(
    'DRADeviceCompatibilityGroups',
    '>=1.37',
    'DRAPartitionableDevices',
    'DynamicResourceAllocation',
  ),
  row('DRADeviceTaintRules', '>=1.35', 'DRADeviceTaints'),
  row('DRADeviceTaints', '>=1.35', 'DynamicResourceAllocation'),
  row('DRAExtendedResource', '>=1.35', 'DynamicResourceAllocation'),
  row('DRAFractionalCapacityRange', '>=1.37', 'DRAConsumableCapacity'),
  row('DRAListTypeAttributes', '>=1.36', 'DynamicResourceAllocation'),
  row('DRANodeAllocatableResources', '>=1.36', 'DynamicResourceAllocation'),
  row('DRAOptionalNodeOperations', '>=1.37', 'DynamicResourceAllocation', 'NodeDeclaredFeatures'),
  row('DRAPartitionableDevices', '>=1.35', 'DynamicResourceAllocation'),
  row(
    'DRAPartitionableDevicesType',
    '>=1.37',
    'DRAPartitionableDevices',
    'DRAResourcePoolStatus',
    'DynamicResourceAllocation',
  ),
  row('DRAPrioritizedList', '>=1.35', 'DynamicResourceAllocation'),
  row(
    'DRAResourceClaimGranularStatusAuthorization',
    '>=1.36',
    'DRAResourceClaimDeviceStatus',
    'DynamicResourceAllocation',
  ),
  row('DRAResourcePoolStatus', '>=1.36', 'DynamicResourceAllocation'),
  row('DRASchedulerFilterTimeout', '>=1.35', 'DynamicResourceAllocation'),
  row('DRAWorkloadResourceClaims', '>=1.36', 'DynamicResourceAllocation', 'GenericWorkload'),
  row('EventedPLEG', '>=1.37', 'PLEGOnDemandRelist'),
  row('ExtendWebSocketsToKubelet', '>=1.36', 'NodeDeclaredFeatures'),
  row('GangScheduling', '>=1.35 <1.37', 'GenericWorkload'),
  row('GracefulNodeShutdownBasedOnPodPriority', '>=1.35', 'GracefulNodeShutdown'),
  row('H2CContainerProbe', '>=1.37', 'NodeDeclaredFeatures'),
  row('ImageVolumeWithDigest', '>=1.36', 'ImageVolume'),
  row(
    'InPlacePodLevelResourcesVerticalScaling',
    '>=1.35',
    'InPlacePodVerticalScaling',
    'NodeDeclaredFeatures',
    'PodLevelResources',
  ),
  row('InPlacePodVerticalScalingAllocatedStatus', '>=1.35 <1.36', 'InPlacePodVerticalScaling'),
  row('InPlacePodVerticalScalingExclusiveCPUs', '>=1.35', 'InPlacePodVerticalScaling'),
  row(
    'InPlacePodVerticalScalingExclusiveMemory',
    '>=1.35 <1.36',
    'InPlacePodVerticalScaling',
    'MemoryManager',
  ),
  row('InPlacePodVerticalScalingExclusiveMemory', '>=1.36', 'InPlacePodVerticalScaling'),
  row(
    'InPlacePodVerticalScalingInitContainers',
    '>=1.36',
    'InPlacePodVerticalScaling',
    'NodeDeclaredFeatures',
  ),
  row(
    'InPlacePodVerticalScalingMemoryBackedVolumes',
    '>=1.37',
    'InPlacePodVerticalScaling',
    'NodeDeclaredFeatures',
  ),
  row('InPlacePodVerticalScalingSchedulerPreemption', '>=1.37', 'InPlacePodVerticalScaling'),
  row('KubeletAllocatedPodsEndpoint', '>=1.37', 'InPlacePodVerticalScaling'),
  row(
    'MatchLabelKeysInPodTopologySpreadSelectorMerge',
    '>=1.35',
    'MatchLabelKeysInPodTopologySpread',
  ),
  row('NodeControllerLeaseCircuitBreaker', '>=1.37', 'AtomicFIFO'),
  row('PodCertificateRequest', '>=1.35 <1.37', 'AuthorizeNodeWithSelectors'),
  row('PodGroupPreemptionPolicy', '>=1.37', 'GenericWorkload'),
  row('PodLevelResourceManagers', '>=1.36', 'PodLevelResources'),
  row('PodLevelResourcesFixDefaulting', '>=1.37', 'PodLevelResources'),
  row('PodLevelResourcesFixKubeletQOSClass', '>=1.37', 'PodLevelResources'),
  row('PodLifecycleSleepActionAllowZero', '>=1.35 <1.37', 'PodLifecycleSleepAction'),
  row('ProcMountType', '>=1.35', 'UserNamespacesSupport'),
  row('ResourceHealthStatus', '>=1.35', 'DynamicResourceAllocation'),
  row('ResourceHealthStatusMessage', '>=1.36', 'ResourceHealthStatus'),
  row(
    'RestartAllContainersOnContainerExits',
    '>=1.35',
    'ContainerRestartRules',
    'NodeDeclaredFeatures',
  ),
  row('ServiceAccountTokenNodeBinding', '>=1.35', 'ServiceAccountTokenNodeBindingValidation'),
  row('StaleControllerConsistencyDaemonSet', '>=1.36', 'AtomicFIFO'),
  row('StaleControllerConsistencyHPA', '>=1.37', 'AtomicFIFO'),
  row('StaleControllerConsistencyJob', '>=1.36', 'AtomicFIFO'),
  row('StaleControllerConsistencyReplicaSet', '>=1.36', 'AtomicFIFO'),
  row('StaleControllerConsistencyStatefulSet', '>=1.36', 'AtomicFIFO'),
  row('StorageVersionAPI', '>=1.35', 'APIServerIdentity'),
  row(
    'StructuredAuthenticationConfigurationEgressSelector',
    '>=1.35 <1.37',
    'StructuredAuthenticationConfiguration',
  ),
  row(
    'StructuredAuthenticationConfigurationJWKSMetrics',
    '>=1.35 <1.37',
    'StructuredAuthenticationConfiguration',
  ),
  row('TopologyAwareWorkloadScheduling', '>=1.36', 'GenericWorkload'),
  row('UnknownVersionInteroperabilityProxy', '>=1.35', 'APIServerIdentity'),
  row('UserNamespacesHostNetworkSupport', '>=1.35 <1.36', 'UserNamespacesSupport'),
  row(
    'UserNamespacesHostNetworkSupport',
    '>=1.36',
    'NodeDeclaredFeatures',
    'UserNamespacesSupport',
  ),
  row('WindowsCPUAndMemoryAffinity', '>=1.35 <1.36', 'MemoryManager'),
  row('WindowsGracefulNodeShutdown', '>=1.35', 'GracefulNodeShutdown'),
  row('WorkloadAwarePreemption', '>=1.36 <1.37', 'GangScheduling'),
  row('WorkloadWithJob', '>=1.36', 'GenericWorkload'),
]

/** The rows that hold in a version. */
export function needsIn(version: string): readonly GateNeed[] {
  return gateNeeds.filter(({ range }) => inRange(version, range))
}
