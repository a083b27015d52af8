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
  printf '  %-21s %s\n' show-antrea 'print the settings of Antrea on Linux nodes; change nothing'
  printf '  %-21s %s\n' configure-antrea 'give Antrea on Windows nodes its configuration'
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

show_antrea() {
  enter
  if kubectl -n kube-system get configmap antrea-config -o 'jsonpath={.data.antrea-agent\.conf}' > antrea-agent.today.conf &&
    [ -s antrea-agent.today.conf ]; then
    grep -E '^ *(trafficEncapMode|tunnelType|tunnelPort|trafficEncryptionMode|transportInterface(CIDRs)?):' antrea-agent.today.conf || echo 'none is set, so the defaults apply: encap and geneve'
    return
  fi
  rm -f antrea-agent.today.conf
  fail 'antrea-config in kube-system has no antrea-agent.conf'
}

configure_antrea() {
  enter
  kubectl -n kube-system patch configmap antrea-windows-config --type merge --patch-file "$bundle"/cluster/linux-side/antrea-windows-config.json
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
    show-antrea) ;;
    configure-antrea) ;;
    token) ;;
    *) fail "unknown command $command; see sh cluster/prepare.sh --help" 2 ;;
  esac
done
for command; do
  case $command in
    apply) apply ;;
    show-antrea) show_antrea ;;
    configure-antrea) configure_antrea ;;
    token) token ;;
  esac
done
