import type { Site } from './site.ts'

/** A line of a mail's table. `amount` is text in the language of the mail. */
export interface TableLine {
  name: string
  detail?: string
  quantity?: number
  amount: string
}

/**
 * One block of a mail: a paragraph, an image, a button, a list of facts, or a table of lines with its totals. Texts are
 * plain; each format escapes them.
 */
export type Block =
  | string
  | { image: string; alt: string }
  | { label: string; url: string }
  | { facts: readonly (readonly [string, string])[] }
  | { lines: readonly TableLine[]; totals: readonly (readonly [string, string])[] }

/** The content of a mail without its format. */
export interface Letter {
  subject: string
  blocks: readonly Block[]
}

export type Sender = Pick<Site, 'name' | 'language' | 'branding'>

/** Returns the quantity of a line, e.g. "2 × "; empty without one. */
export const quantityOf = ({ quantity }: TableLine): string =>
  quantity === undefined ? '' : `${quantity} × `

/** Returns a paragraph for each line of a text, without the empty ones. */
export const paragraphs = (text: string): Block[] => text.split(/[\r\n]+/).filter((line) => line.trim())
