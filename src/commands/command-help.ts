// Help of one command: examples come first, then usage and flags.
import { CommandHelp } from '@oclif/core/help'
import { usagePieces } from './usage-line.ts'

/** Of the further lines of a usage. */
const indent = '  '

export class TeachingCommandHelp extends CommandHelp {
  protected override sections(): ReturnType<CommandHelp['sections']> {
    const isExamples = ({ header }: { header: string }): boolean => header === 'EXAMPLES'
    const sections = super.sections()
    return [...sections.filter(isExamples), ...sections.filter((each) => !isExamples(each))]
  }

  protected override usage(): string {
    const { bin, topicSeparator } = this.config
    const width = this.opts.maxWidth - this.indentSpacing
    const pieces = usagePieces(this.command).flatMap((piece) =>
      piece.length < width ? piece : piece.split(/(?<= \|) /),
    )
    const lines = [`$ ${bin} ${this.command.id.replaceAll(':', topicSeparator)}`]
    for (const piece of pieces) {
      const longer = `${lines.at(-1) ?? ''} ${piece}`
      if (longer.length <= width) lines.splice(-1, 1, longer)
      else lines.push(`${indent}${piece}`)
    }
    return lines.join('\n')
  }
}
