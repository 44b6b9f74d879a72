import { parseList } from '#shared/catalog/import/own-format/cell-lists.ts'
import { stableSlug } from '#shared/catalog/slug.ts'
import { searchedWords, wordsOf } from '#shared/customers/customer-words.ts'
import { guardText, unguardText } from '#shared/platform/csv/guard-cell.ts'
import { isWebUrl } from '#shared/platform/http/web-url.ts'
import { parseMinor } from '#shared/platform/money.ts'
import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import { foldCase } from '#shared/platform/text.ts'
import { parseVat } from '#shared/remote-catalog/remote-item.ts'
import { parseDomainName } from '#shared/stores/domains/domain-name.ts'
import { parsePercent } from '#shared/tax/percent.ts'
import { codeKey } from '#shared/vouchers/codes/code.ts'
import { HEAD, ofText, ROW } from './reader.ts'

export const TEXTS = [
  ...ofText('a slug', ROW, ['a', ' ', '-', 'é', 'ﷺ'], (text) => stableSlug(text, 'product')),
  ...ofText('case folding', 5_000, ['a', 'ﷺ', 'ß', '\u0300'], foldCase),
  ...ofText('an amount', ROW, ['0', '1', '.', '-', ' '], (text) => parseMinor(text, 'EUR')),
  ...ofText('a percentage', HEAD, ['0', '.', ' '], parsePercent),
  ...ofText('a VAT percentage', ROW, ['0', '.', ' ', '%'], parseVat),
  ...ofText('a URL', 2_048, ['a', '/', '.', ':', '[', '%'], isWebUrl),
  ...ofText('a public URL', 2_048, ['a.', '/', '..', '1'], (text) =>
    readPublicUrl(`https://${text}`, { allowLocal: false }),
  ),
  ...ofText('a domain', 2_048, ['a.', '-', '.', 'ß'], parseDomainName),
  ...ofText('a voucher code', 200, [' ', '-', 'A'], codeKey),
  ...ofText('the words of a search', 200, ['a ', '.', "'", '1-', '(', 'a.'], searchedWords),
  ...ofText('a list in a cell', 20_000, ['"', ',', '""', ' ', '"a" ', ',"""', '"a,"', '\\,'], parseList),
  ...ofText('a guarded cell', ROW, ["'", ' ', '=', '\t'], (text) => unguardText(guardText(text))),
]

const EMAIL = (name: string) => ({ email: name, firstname: '', lastname: '', telephone: null })

export const NAMES = ofText('the words of an e-mail address', 254, ['a', 'a.', '.', '-', 'a+'], (name) =>
  wordsOf(EMAIL(`${name}@example.com`)),
)
