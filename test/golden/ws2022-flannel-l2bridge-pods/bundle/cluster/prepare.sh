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
  printf '  %-21s %s\n' compare-flannel 'compare flannel in the cluster with this bundle; change nothing'
  printf '  %-21s %s\n' edit-flannel 'edit a copy of its net-conf.json; change nothing in the cluster'
  printf '  %-21s %s\n' change-flannel 'write the copy, and restart flanneld on Linux: read README.md first'
  printf '  %-21s %s\n' revert-flannel 'write the file from before the first change, and restart flanneld'
  printf '  %-21s %s\n' credentials 'create or renew the files for the nodes'
  printf '  %-21s %s\n' token 'create a bootstrap token that is valid for one hour'
  printf '\nEnvironment variables:\n'
  printf '  %-21s %s\n' KUBECONFIG 'kubeconfig of a cluster administrator, as for kubectl'
  printf '  %-21s %s\n' FOR_THE_NODES 'folder for the files (default: for-the-nodes beside the bundle)'
  printf '  %-21s %s\n' FLANNEL_NAMESPACE 'namespace of flannel (default: kube-flannel)'
  printf '  %-21s %s\n' FLANNEL_CONFIGMAP 'ConfigMap with net-conf.json (default: kube-flannel-cfg)'
  printf '  %-21s %s\n' FLANNEL_DAEMONSET 'DaemonSet of flanneld (default: kube-flannel-ds)'
  printf '  %-21s %s\n' FLANNEL_PODS 'label of its pods (default: app=flannel)'
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

namespace=${FLANNEL_NAMESPACE:-kube-flannel}
configmap=${FLANNEL_CONFIGMAP:-kube-flannel-cfg}
daemonset=${FLANNEL_DAEMONSET:-kube-flannel-ds}
pods=${FLANNEL_PODS:-app=flannel}

# value_of FILE FIELD: prints the last value of a field of net-conf.json, ignoring case as flanneld does.
value_of() { tr -d ' \t\r\n' < "$1" | grep -io "\"$2\":\"\{0,1\}[^\",}]*" | sed 's/.*[":]//' | tail -n 1; }
# line FILE FIELD EXPECTED DEFAULT
line() {
  now=$(value_of "$1" "$2")
  same=DIFFERS
  if [ "${now:-$4}" = "$3" ]; then same=same; else differs=1; fi
  printf '%-14s %-20s %-20s %s\n' "$2" "${now:-$4}" "$3" "$same"
}
# compare FILE TITLE: returns 1 if a field differs.
compare() {
  differs=0
  printf '%-14s %-20s %s\n' FIELD "$2" BUNDLE
  line "$1" Network 10.244.0.0/16 ''
  line "$1" Type host-gw udp
  return "$differs"
}

read_net_conf() {
  if kubectl -n "$namespace" get configmap "$configmap" -o 'jsonpath={.data.net-conf\.json}' > net-conf.today.json &&
    [ -s net-conf.today.json ]; then
    return
  fi
  rm -f net-conf.today.json
  fail "$configmap in $namespace has no net-conf.json"
}

compare_flannel() {
  enter
  read_net_conf
  compare net-conf.today.json CLUSTER || true
  kubectl get nodes -o 'custom-columns=NODE:.metadata.name,BACKEND:.metadata.annotations.flannel\.alpha\.coreos\.com/backend-type,DATA:.metadata.annotations.flannel\.alpha\.coreos\.com/backend-data'
}

edit_flannel() {
  enter
  read_net_conf
  [ -e net-conf.before.json ] || cp net-conf.today.json net-conf.before.json
  cp net-conf.today.json net-conf.new.json
  # shellcheck disable=SC2086 # EDITOR may contain options.
  ${EDITOR:-vi} net-conf.new.json
  readable net-conf.new.json
  compare net-conf.new.json NEW
}

# flanneld cannot start with an invalid file.
readable() {
  word='("[^"]*"|-?[0-9]+|true|false|null)'
  value="($word|\\[($word(,$word)*)?\\])"
  object="\\{(\"[^\"]+\":$value(,\"[^\"]+\":$value)*)?\\}"
  member="\"[^\"]+\":($value|$object)"
  tr -d ' \t\r\n' < "$1" | grep -Eqx "\\{$member(,$member)*\\}" || fail "$1 is not valid JSON for flanneld"
}

# flanneld reads the file only when it starts.
use_net_conf() {
  readable "$1"
  kubectl -n "$namespace" create configmap "$configmap" --from-file "net-conf.json=$1" --dry-run=client -o json > net-conf.patch.json
  kubectl -n "$namespace" patch configmap "$configmap" --type merge --patch-file net-conf.patch.json
  kubectl -n "$namespace" delete pods -l "$pods"
  kubectl -n "$namespace" rollout status daemonset "$daemonset" --timeout 5m
}

change_flannel() {
  enter
  [ -e net-conf.new.json ] || fail 'net-conf.new.json not found: run edit-flannel first'
  compare net-conf.new.json NEW
  use_net_conf net-conf.new.json
}

revert_flannel() {
  enter
  [ -e net-conf.before.json ] || fail 'net-conf.before.json not found: flannel was not changed from this folder'
  use_net_conf net-conf.before.json
}

discovery() {
  if kubectl -n kube-public get configmap cluster-info -o 'jsonpath={.data.kubeconfig}' > discovery.conf.new &&
    grep -q server discovery.conf.new; then
    mv discovery.conf.new discovery.conf
    echo "wrote $nodes/discovery.conf"
    return
  fi
  rm -f discovery.conf.new
  fail 'kube-public/cluster-info contains no kubeconfig: discovery.conf was not written'
}

credentials() {
  enter
  discovery
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
    compare-flannel) ;;
    edit-flannel) ;;
    change-flannel) ;;
    revert-flannel) ;;
    credentials) ;;
    token) ;;
    *) fail "unknown command $command; see sh cluster/prepare.sh --help" 2 ;;
  esac
done
for command; do
  case $command in
    apply) apply ;;
    compare-flannel) compare_flannel ;;
    edit-flannel) edit_flannel ;;
    change-flannel) change_flannel ;;
    revert-flannel) revert_flannel ;;
    credentials) credentials ;;
    token) token ;;
  esac
done
