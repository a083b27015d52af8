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
    what: 'kube-proxy has made no load balancer',
    itself:
      'starts it anew; where that is of no use, the run fails and names it, as `/healthz` says 200 then too',
    within: 'every run',
    person: 'gives its account the rights that its log asks for',
    shown: 'what needs a person is said',
  },
  {
    what: 'The route to a cloud’s metadata is lost',
    itself:
      'puts it back as it was before the network, where the profile has a cloud provider or credential providers',
    within: '10 minutes',
    shown: 'the way to a cloud that gave a route',
  },
  {
    what: 'A crash loop leaves one log after the other',
    itself: 'keeps the newest `services.logMaxFiles` of each',
    within: '10 minutes',
    shown: 'logs of a crash loop stay within their number',
  },
  {
    what: 'A Windows update is known to be bad',
    itself: 'goes on, and says so: the run ends with 1, `Test-WinNode.ps1` with 4',
    within: '',
    person: 'decides',
    shown: 'what needs a person is said',
  },
  {
    what: 'The disk of images is gone after a start',
    itself: 'refuses with 2, and changes nothing',
    within: '5 minutes',
    person: 'attaches it and restarts the machine',
    shown: 'a data disk that is gone after a start',
  },
  {
    what: 'Two of these at once, or one while the loop is at work',
    itself: 'as above',
    within: 'the sum of both',
    shown: 'what happens in any order',
  },
  {
    what: 'The loop is killed, or the machine restarts while it is at work',
    itself: 'the next run goes on',
    within: 'as above, and 5 minutes',
    shown: 'what happens in any order',
  },
  {
    what: 'An upgrade or a new Join is killed, or the machine restarts meanwhile',
    itself: 'keeps what runs running, as far as it can',
    within: '10 minutes after it',
    person: 'runs the same script again',
    shown: 'what happens in any order',
  },
]
