// Alerts of the PrometheusRule in the bundle, by the name that a page or a chat shows.
import { alerts } from '../../artifacts/addons/windows-exporter.ts'
import { factsOf, topicOf, type Topic } from './topic.ts'

export const alertTopic: Topic = topicOf(
  () => alerts.map(({ alert, means, ...more }) => ({ ...more, id: alert, summary: means })),
  ({ summary, expr, for: time, fix }) => ({
    kind: 'alert',
    what: summary,
    facts: factsOf({
      fires: expr,
      for: time,
      fix,
      field: 'cluster.windowsExporter.prometheusRule',
    }),
    see: [],
  }),
)
