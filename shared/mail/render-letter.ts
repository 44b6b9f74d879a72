import { type Block, type Letter, quantityOf, type Sender, type TableLine } from './letter.ts'
import { renderHtml } from './render-html.ts'

/** A mail in both formats. */
export interface RenderedLetter {
  subject: string
  text: string
  html: string
}

/** Renders a letter as plain text and as HTML, with the sender's logo and color, signed with its name. */
export function renderLetter({ subject, blocks }: Letter, sender: Sender): RenderedLetter {
  return {
    subject,
    text: `${[...blocks.map(toText), sender.name].join('\n\n')}\n`,
    html: renderHtml({ subject, blocks }, sender),
  }
}

function toText(block: Block): string {
  if (typeof block === 'string') return block
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  if ('image' in block) return block.alt
  if ('lines' in block) return [...block.lines.map(lineAsText), '', ...block.totals.map(asTerm)].join('\n')
  return `${block.label}:\n${block.url}`
}

const asTerm = ([name, value]: readonly [string, string]): string => `${name}: ${value}`
const lineAsText = (line: TableLine): string =>
  `${quantityOf(line)}${line.name}${line.detail ? ` (${line.detail})` : ''}: ${line.amount}`
