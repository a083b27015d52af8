// docs/rules-not-applied.md: requirements that no rule checks, generated from test/rules/requirements.json.
import { groups, implementedOf, notAppliedOf } from '../rules/requirements.ts'
import { code, page, prose } from './markdown.ts'

const titles: Readonly<Record<(typeof groups)[number], string>> = {
  kubernetes: 'Versions, Windows, containerd, kubelet and kube-proxy',
  hardening: 'Sizing, access, credentials, downloads and firewall',
  network: 'Network plugins',
}

export function rulesNotAppliedPage(): string {
  const all = groups.flatMap(implementedOf).length
  const not = groups.flatMap(notAppliedOf).length
  return page([
    `# What winnode does not check

winnode was built from ${all + not} requirements for Windows nodes. The [rules](rules.md) and the tests of its output cover ${all}. It does not
check these ${not}, each for the reason beside it. This page is generated from \`test/rules/requirements.json\`, which also names the rule of
every other requirement.`,
    ...groups.flatMap((group) => [
      `## ${titles[group]}`,
      [
        '| Requirement | Fact | Not checked because |',
        '| --- | --- | --- |',
        ...notAppliedOf(group).map(
          ({ id, fact, because, detail }) =>
            `| ${id} | ${prose(fact)} | ${because}${because === 'superseded' ? ` by ${detail.split(' ').map(code).join(', ')}` : `: ${prose(detail)}`} |`,
        ),
      ].join('\n'),
    ]),
  ])
}
