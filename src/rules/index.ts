// Every rule, in the order in which docs/rules.md lists them.
import { cniRules } from '../cni/index.ts'
import type { Rule } from '../model/rule.ts'
import * as skew from './skew.ts'
import * as knownVersions from './known-versions.ts'
import * as lifecycle from './lifecycle.ts'
import * as windows from './windows.ts'
import * as runtime from './runtime.ts'
import * as containerdRoot from './containerd-root.ts'
import * as sandbox from './sandbox.ts'
import * as kubelet from './kubelet.ts'
import * as kubeletSecurity from './kubelet-security.ts'
import * as logQuery from './kubelet-log-query.ts'
import * as kubeletValues from './kubelet-values.ts'
import * as settings from './settings.ts'
import * as replacedSettings from './replaced-settings.ts'
import * as eviction from './eviction.ts'
import * as configFields from './config-fields.ts'
import * as featureGates from './feature-gates.ts'
import * as keyCase from './key-case.ts'
import * as network from './network.ts'
import * as kubeProxy from './kube-proxy.ts'
import * as addressing from './addressing.ts'
import * as addresses from './addresses.ts'
import * as sizing from './sizing.ts'
import * as secrets from './secrets.ts'
import * as join from './join.ts'
import * as cloud from './cloud.ts'
import * as duplicates from './duplicates.ts'
import * as names from './names.ts'
import * as registries from './registries.ts'
import * as downloads from './downloads.ts'
import * as host from './host.ts'
import * as advisories from './advisories.ts'

export const rules: readonly Rule[] = [
  ...skew.versionSkew,
  skew.kubeletAtSkewLimit,
  lifecycle.kubernetesEnded,
  lifecycle.kubernetesEnding,
  lifecycle.patchBehind,
  lifecycle.containerdEnded,
  lifecycle.containerdLimited,
  ...knownVersions.newerLines,
  knownVersions.newerPatch,
  knownVersions.kubernetesTooOld,
  knownVersions.containerdLineUnknown,
  windows.releaseUnsupported,
  windows.releaseUnlisted,
  windows.extendedSupport,
  windows.windowsEnded,
  windows.revisionKnownToFail,
  windows.overlayPatchLevel,
  windows.smallMachine,
  windows.impossibleMachine,
  windows.hyperVUnsupported,
  windows.hyperVNeedsMachine,
  ...runtime.runtimeRequirementRules,
  runtime.untestedPair,
  runtime.revisionBeforeBuild,
  runtime.configTooNew,
  runtime.configOld,
  containerdRoot.rootRefused,
  sandbox.lacksOs,
  sandbox.throughStableAbi,
  sandbox.bootsOlderWindows,
  sandbox.holdsRpcPort,
  sandbox.frozenRegistry,
  sandbox.movingTag,
  sandbox.differsFromKubeadm,
  kubelet.resolvConf,
  kubelet.labelRefused,
  kubelet.labelOverwritten,
  kubelet.shutdownWithoutEffect,
  kubelet.lowPriority,
  kubelet.unboundedEvents,
  kubeletSecurity.anonymousAccess,
  kubeletSecurity.weakTls,
  kubeletSecurity.noRotation,
  kubeletSecurity.servingCertificate,
  kubeletSecurity.secretsInLog,
  logQuery.logQuery,
  logQuery.logQueryExploitable,
  kubeletSecurity.staticPods,
  kubeletSecurity.pullSecretsShared,
  ...settings.settingRules,
  kubeletValues.weakCipherSuite,
  kubeletValues.pathWithoutDrive,
  kubeletValues.unregisteredTaints,
  keyCase.keysCollide,
  replacedSettings.settingHasProfileField,
  replacedSettings.fixedKubeletSetting,
  eviction.signalUnsupported,
  eviction.memoryEvictionOff,
  eviction.memoryThresholdLow,
  eviction.memoryEvictionUnsupported,
  eviction.evictionBeforeImageCollection,
  ...configFields.configFieldRules,
  ...featureGates.gateRules,
  featureGates.affinityNeedsRuntime,
  configFields.managerWithoutGate,
  network.modeOfPlugin,
  network.cloudDropsPods,
  network.overlayDualStack,
  network.dualStackNeedsRelease,
  network.singleMachine,
  ...cniRules,
  kubeProxy.loadBalancerWithoutDsr,
  kubeProxy.dsrNeedsPatch,
  kubeProxy.modeNotKernelspace,
  replacedSettings.fixedKubeProxySetting,
  kubeProxy.metricsOpen,
  kubeProxy.requiredGateOff,
  kubeProxy.gateWithoutDsr,
  addressing.notCidr,
  addressing.hostBits,
  addressing.overlap,
  addressing.helperNetworks,
  addressing.onlyIPv6,
  addressing.untranslatedOffBridge,
  addressing.untranslatedNeedsRoutes,
  addressing.natExceptionsCollide,
  addresses.dnsOutside,
  addresses.badSourceVip,
  addresses.vipWithoutOverlay,
  addresses.nodeMaskTooShort,
  addresses.tooFewAddresses,
  sizing.noAllocatable,
  sizing.belowRecommendation,
  sizing.belowWindowsUsage,
  sizing.mostlyOverhead,
  sizing.thresholdOff,
  sizing.manyPods,
  sizing.linuxModel,
  sizing.manyProcessors,
  sizing.noPageFile,
  secrets.secretInProfile,
  secrets.unpinnedCa,
  secrets.endpointMissing,
  join.caMissing,
  join.endpointAndDiscoveryFile,
  join.endpointUnchecked,
  join.kubeadmFieldsUnread,
  join.caUnread,
  join.tokenFileInUse,
  join.healthPortMoved,
  cloud.configuredTwice,
  cloud.programNameLacksExe,
  cloud.providerRefused,
  cloud.namedTwice,
  cloud.nameUnknownToCloud,
  cloud.providerIdShared,
  cloud.dropInsTooEarly,
  duplicates.sharedRegistryFolder,
  duplicates.mirrorTwice,
  registries.nameNeedsNewerContainerd,
  registries.mirrorsNeverUsed,
  registries.mirrorUnparsable,
  registries.mirrorWithoutHost,
  registries.mirrorUrlMisread,
  registries.mirrorOverHttp,
  names.badRegistryFolder,
  duplicates.featureTwice,
  duplicates.taintTwice,
  names.badNodeName,
  names.longNodeName,
  names.badEndpointPort,
  downloads.checksumMissing,
  downloads.checksumFromDownloadHost,
  downloads.checksumUnused,
  downloads.retiredHost,
  registries.mirrorsIgnored,
  registries.mirrorReplacesRoots,
  host.containersFeature,
  host.hyperVFeature,
  host.kubeletOpen,
  host.nodePortRange,
  host.overlayFirewallOpen,
  host.defenderExclusions,
  host.proxyNotSystemWide,
  host.proxyOverTls,
  advisories.knownAdvisory,
  ...advisories.defectRules,
]
