// Every rule, in the order of the docs; the engine knows none of them.
import { cniRules } from '../cni/index.ts'
import type { Rule } from '../model/rule.ts'
import * as skew from './skew.ts'
import * as knownVersions from './known-versions.ts'
import * as lifecycle from './lifecycle.ts'
import * as windows from './windows.ts'
import * as runtime from './runtime.ts'
import * as dataDisk from './data-disk.ts'
import * as sandbox from './sandbox.ts'
import * as kubelet from './kubelet.ts'
import * as kubeletSecurity from './kubelet-security.ts'
import * as logQuery from './kubelet-log-query.ts'
import * as kubeletValues from './kubelet-values.ts'
import * as settings from './settings.ts'
import * as ownFields from './own-fields.ts'
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
import * as supply from './supply.ts'
import * as host from './host.ts'
import * as advisories from './advisories.ts'

export const rules: readonly Rule[] = [
  ...skew.versionSkew,
  skew.kubeletAtTheEdge,
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
  windows.badRevision,
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
  dataDisk.rootRefused,
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
  ownFields.ownField,
  ownFields.fixedField,
  eviction.deadSignal,
  eviction.memorySignalOff,
  eviction.smallMemorySignal,
  eviction.memorySignalIgnored,
  eviction.evictsBeforeCollecting,
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
  ownFields.winkernelOverridden,
  kubeProxy.metricsOpen,
  kubeProxy.gateOff,
  kubeProxy.gateWithoutDsr,
  addressing.notCidr,
  addressing.hostBits,
  addressing.overlap,
  addressing.helperNetworks,
  addressing.onlyIPv6,
  addressing.untranslatedOffBridge,
  addressing.untranslatedNeedsRoutes,
  addressing.exceptionsCollide,
  addresses.dnsOutside,
  addresses.badSourceVip,
  addresses.vipWithoutOverlay,
  addresses.maskOutside,
  addresses.tooFewAddresses,
  sizing.nothingLeft,
  sizing.belowFloor,
  sizing.belowOperatingSystem,
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
  join.twoWaysToDiscover,
  join.endpointUnchecked,
  join.kubeadmFieldsUnread,
  join.caUnread,
  join.tokenFileInUse,
  join.healthPortMoved,
  cloud.configuredOnce,
  cloud.programName,
  cloud.providerRefused,
  cloud.namedTwice,
  cloud.nameUnknownToCloud,
  cloud.providerIdShared,
  cloud.dropInsTooEarly,
  duplicates.sameFolder,
  duplicates.mirrorTwice,
  registries.unreadableName,
  registries.neverAsked,
  registries.unreadableMirror,
  registries.emptyMirror,
  registries.mirrorElsewhere,
  registries.mirrorPlain,
  names.badRegistryFolder,
  duplicates.featureTwice,
  duplicates.taintTwice,
  names.badNodeName,
  names.longNodeName,
  names.badEndpointPort,
  supply.noDigest,
  supply.publishedDigest,
  supply.digestOfNothing,
  supply.retiredHost,
  supply.mirrorsIgnored,
  supply.mirrorReplacesRoots,
  host.containersFeature,
  host.hyperVFeature,
  host.kubeletOpen,
  host.nodePortRange,
  host.overlayFirewallOpen,
  host.scannerBlind,
  host.proxyPlain,
  host.proxyOverTls,
  advisories.knownAdvisory,
  ...advisories.defectRules,
]
