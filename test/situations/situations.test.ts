// Each situation of practice gives the findings that are listed with it.
import { t } from 'tap'
import { severities } from '../../src/model/finding.ts'
import { chapters, findingsOf, idsOf, situations } from './situations.ts'

for (const { chapter, situations: list } of chapters)
  t.test(chapter, async (t) => {
    for (const situation of list) {
      const { title, errors = [], warnings = [], notes = [] } = situation
      const expected = { error: errors, warning: warnings, info: notes }
      const found = await findingsOf(situation)
      const listed = [...errors, ...warnings, ...notes]
      for (const severity of severities) {
        const ids = idsOf(found, severity, listed)
        t.strictSame(
          severity === 'info' ? ids.filter((id) => notes.includes(id)) : ids,
          expected[severity].toSorted(),
          `${title}: ${severity}`,
        )
      }
    }
  })

t.test('there are sixty, and each has a title and a source', async (t) => {
  const titles = situations.map(({ title }) => title)
  t.ok(titles.length >= 60, `${titles.length} situations`)
  t.equal(new Set(titles).size, titles.length, 'no title twice')
  for (const { title, see } of situations) t.match(see, /^https:\/\/\S+$/, title)
  const plugin = /calico|eks|cluster api|capz/i
  const named = situations.filter(({ title, from }) => plugin.test(`${title} ${from}`))
  t.ok(named.length >= 20, `${named.length} with Calico, EKS or Cluster API`)
  const good = situations.filter(({ errors, warnings }) => !errors && !warnings)
  t.ok(good.length >= 8, `${good.length} without errors and warnings`)
})
