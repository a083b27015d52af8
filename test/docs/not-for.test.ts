// docs/not-for.md: it says of each product why winnode is not for it, and what to use instead.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { root } from '../tools/run.ts'

const products = [
  ...['AKS', 'GKE', 'Karpenter', 'Rancher', 'Windows Machine Config Operator', 'DSC', 'Mirantis'],
  ...['cri-dockerd', 'Docker Desktop', 'Gatekeeper', 'Kyverno', 'Fluentd'],
]

t.test('the page has a row for each product, complete', (t) => {
  const page = readFileSync(path.join(root, 'docs/not-for.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('|'))
  for (const product of products) {
    const row = rows.find((line) => line.includes(product))
    const cells = row?.split('|').map((cell) => cell.trim()) ?? []
    t.ok(row, product)
    t.strictSame(
      cells.slice(1, -1).filter((cell) => cell === ''),
      [],
      `${product}: why, and what instead`,
    )
  }
  t.end()
})
