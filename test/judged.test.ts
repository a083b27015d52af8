// What winnode says of settings, beside what the programs themselves said of them.
import { t } from 'tap'
import { judgedFiles } from './judged/files.ts'
import { lineOf, runFile } from './judged/run.ts'
import { judgedPage } from './pages/judged.ts'
import { checkedIn } from './tools/checked-in.ts'

/** Every case takes a while: a part of them is enough for each change. */
const all = process.env['WINNODE_ALL'] === '1' || t.writeSnapshot
const step = 12

const ran = Object.entries(judgedFiles).map(([name, file]) =>
  runFile(name, file, (at) => all || at % step === 0),
)

for (const run of ran)
  t.test(`${run.name}: winnode says what the program said`, async (t) => {
    const { name, cases, expressed, differ, file } = run
    const { exceptions } = file
    const open = differ.filter(({ id }) => !Object.hasOwn(exceptions, id))
    t.strictSame(open.map(lineOf), [])
    t.comment(`${name}: ${cases} cases, ${expressed.length} expressed, ${open.length} differ`)
    t.ok(
      Object.keys(exceptions).length <= expressed.length * 0.03 || !all,
      'at most 3 in 100 are exceptions',
    )
    if (!all) return
    const met = differ.map(({ id }) => id)
    t.strictSame(
      Object.keys(exceptions).filter((id) => !met.includes(id)),
      [],
      'each exception is one',
    )
    t.ok(!file.half || expressed.length * 2 >= cases, 'at least half of them are expressed')
  })

t.test('the page says how many agree', async (t) => {
  if (all) checkedIn(t, 'docs/judged.md', judgedPage(ran))
  else t.ok(judgedPage(ran).includes('# '), 'it is held where every case runs')
})
