# Stands in for ansible.windows.win_copy: copies a file of the role or of the control machine to the simulated one.
import filecmp
import os
import shutil

from ansible.plugins.action import ActionBase


class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        arguments = self._task.args
        unknown = set(arguments) - {"src", "dest"}
        if unknown:
            return dict(result, failed=True, msg="unsupported: %s" % sorted(unknown))
        source = self._find_needle("files", arguments["src"])
        machine = os.environ["WINNODE_MACHINE"]
        target = os.path.join(machine, arguments["dest"].replace("\\", "/"))
        same = os.path.exists(target) and filecmp.cmp(source, target, shallow=False)
        if not same and not self._task.check_mode:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)
            with open(os.path.join(machine, "journal"), "a") as journal:
                journal.write("copy %s\n" % arguments["dest"])
        return dict(result, changed=not same)
