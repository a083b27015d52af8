#!/bin/sh
# Prepares a cluster for the nodes of this bundle. README.md in this folder explains the commands.
set -eu
# Some of the created files are secrets.
umask 077

usage() {
  cat <<'END'
Usage: sh cluster/prepare.sh COMMAND...

Prepare the cluster for the nodes of this bundle.
Commands run in the given order; each can be rerun.

END
  printf '  %-21s %s\n' apply 'print what would change in the cluster, and apply the manifests'
  printf '  %-21s %s\n' compare-calico 'print Calico’s settings, and the bundle’s'
  printf '  %-21s %s\n' configure-calico 'patch Calico’s settings for Windows nodes'
  printf '  %-21s %s\n' token 'create a bootstrap token that is valid for one hour'
  printf '\nEnvironment variables:\n'
  printf '  %-21s %s\n' KUBECONFIG 'kubeconfig of a cluster administrator, as for kubectl'
  printf '  %-21s %s\n' FOR_THE_NODES 'folder for the files (default: for-the-nodes beside the bundle)'
}

fail() {
  echo "prepare.sh: $1" >&2
  exit "${2:-1}"
}

# If CDPATH is set, cd prints the folder.
bundle=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
[ -f "$bundle/node.json" ] || fail "$bundle is not a bundle: node.json not found"
nodes=${FOR_THE_NODES:-${bundle%/*}/for-the-nodes}
case $nodes in
  /*) ;;
  *) nodes=$PWD/$nodes ;;
esac

# Git ignores a new folder. An existing one keeps its mode and its .gitignore.
enter() {
  [ -d "$nodes" ] || { mkdir -p -- "$nodes" && echo '*' > "$nodes/.gitignore"; }
  cd -- "$nodes"
}

apply() {
  # kubectl diff returns 1 if objects differ.
  kubectl diff -k "$bundle/cluster" || true
  kubectl apply -k "$bundle/cluster"
}

compare_calico() {
  enter
  echo 'CLUSTER'
  kubectl get installations.operator.tigera.io default -o 'jsonpath=serviceCIDRs {.spec.serviceCIDRs}{"\n"}bgp {.spec.calicoNetwork.bgp}{"\n"}ipam {.spec.cni.ipam.type}{"\n"}windowsDataplane {.spec.calicoNetwork.windowsDataplane}{"\n"}vxlanAdapter {.spec.windowsNodes.vxlanAdapter}{"\n"}ipPools {.spec.calicoNetwork.ipPools}{"\n"}'
  kubectl get felixconfigurations default -o 'jsonpath=vxlanVNI {.spec.vxlanVNI}{"\n"}'
  kubectl get ipamconfigurations default -o 'jsonpath=strictAffinity {.spec.strictAffinity}{"\n"}'
  kubectl -n tigera-operator get configmap kubernetes-services-endpoint -o 'jsonpath=endpoint {.data}{"\n"}' || true
  echo 'BUNDLE'
  cat "$bundle"/cluster/linux-side/calico-*.json
}

# The operator refuses Windows nodes with another pool. An existing endpoint is not changed.
configure_calico() {
  enter
  encapsulation=$(kubectl get installations.operator.tigera.io default -o 'jsonpath={.spec.calicoNetwork.ipPools[0].encapsulation}')
  [ "$encapsulation" = VXLAN ] || fail "the first pool of Calico has the encapsulation ${encapsulation:-IPIP}, and this bundle needs another: read README.md first"
  ipam=$(kubectl get installations.operator.tigera.io default -o 'jsonpath={.spec.cni.ipam.type}')
  [ "${ipam:-Calico}" = Calico ] || fail "Calico has the IPAM plugin ${ipam:-Calico}, and this bundle needs another: read README.md first"
  kubectl -n tigera-operator get configmap kubernetes-services-endpoint ||
    kubectl create -f "$bundle"/cluster/linux-side/calico-endpoint.json
  kubectl patch installations.operator.tigera.io default --type merge --patch-file "$bundle"/cluster/linux-side/calico-installation.json
  kubectl patch felixconfigurations default --type merge --patch-file "$bundle"/cluster/linux-side/calico-felix.json
  kubectl patch ipamconfigurations default --type merge --patch-file "$bundle"/cluster/linux-side/calico-ipam.json
  kubectl get daemonsets -n calico-system
}

token() {
  enter
  if kubeadm token create --ttl 1h > token.new && [ -s token.new ]; then
    mv token.new token
    echo "wrote $nodes/token, which expires in one hour"
    return
  fi
  rm -f token.new
  fail 'token was not written'
}

if [ $# -eq 0 ]; then
  usage >&2
  exit 2
fi
# All commands are known before the first one runs.
for command; do
  case $command in
    -h | --help)
      usage
      exit
      ;;
    apply) ;;
    compare-calico) ;;
    configure-calico) ;;
    token) ;;
    *) fail "unknown command $command; see sh cluster/prepare.sh --help" 2 ;;
  esac
done
for command; do
  case $command in
    apply) apply ;;
    compare-calico) compare_calico ;;
    configure-calico) configure_calico ;;
    token) token ;;
  esac
done
