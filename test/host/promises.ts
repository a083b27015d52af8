// Promises of docs/node-side.md other than events, each with the scenario that tests it.

export interface Promised {
  readonly what: string
  readonly itself: string
  readonly within: string
  readonly person?: string
  /** The name of the scenario that shows it. */
  readonly shown: string
}

export const promises: readonly Promised[] = [
  {
    what: 'kube-proxy has created no load balancer',
    itself:
      'restarts it; if that does not help, the run fails and names it, because `/healthz` returns 200 all the same',
    within: 'every run',
    person: 'grant its account the permissions that its log names',
    shown: 'what needs a person is said',
  },
  {
    what: 'The route to the cloud’s metadata service is lost',
    itself: 'restores the route from before the network',
    within: '10 minutes',
    shown: 'the way to a cloud that gave a route',
  },
  {
    what: 'A crash loop creates many log files',
    itself: 'keeps the newest `services.logMaxFiles` of each',
    within: '10 minutes',
    shown: 'logs of a crash loop stay within their number',
  },
  {
    what: 'An installed Windows update is known to break nodes',
    itself: 'continues, and reports it: exit code 1; `Test-WinNode.ps1` with 4',
    within: '',
    person: 'install a later update',
    shown: 'what needs a person is said',
  },
  {
    what: 'The data disk with images is missing after a start',
    itself: 'refuses with 2, and changes nothing',
    within: '5 minutes',
    person: 'attach it and restart the machine',
    shown: 'a data disk that is gone after a start',
  },
  {
    what: 'Two of these at once, or one while the loop runs',
    itself: 'as above',
    within: 'the sum of both',
    shown: 'what happens in any order',
  },
  {
    what: 'The loop is killed, or the machine restarts while it runs',
    itself: 'the next run continues',
    within: 'as above, and 5 minutes',
    shown: 'what happens in any order',
  },
  {
    what: 'An upgrade or a new Join is killed, or the machine restarts during it',
    itself: 'leaves running services running where possible',
    within: '10 minutes after it',
    person: 'rerun the same script',
    shown: 'what happens in any order',
  },
]
