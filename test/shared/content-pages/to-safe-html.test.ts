import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHtml, toSafeHtml } from '#shared/content-pages/to-safe-html.ts'
import { assertSafe, findUnsafe } from '#test/support/requests/safe-html.ts'
import { XSS_VECTORS } from '#test/support/requests/xss-vectors.ts'

for (const [name, markdown] of Object.entries(XSS_VECTORS))
  test(`the HTML of ${name} is safe`, () => {
    assertSafe(toSafeHtml(markdown))
  })

/** Vectors that the Markdown library disarms before the sanitizer sees them. */
const DISARMED_BY_MARKDOWN = [
  'an event handler in backticks',
  'a link of Markdown',
  'a link of Markdown in capitals',
  'a link of Markdown in entities',
  'a link of Markdown with a tab',
  'a link of Markdown with data:',
  'an automatic link',
  'a reference',
  'an image of Markdown',
  'an image whose text ends its attribute',
  'an image whose address ends its attribute',
  'a title that ends its attribute',
]

test('control: without the sanitizer the HTML of the other vectors is unsafe', () => {
  const safe = Object.entries(XSS_VECTORS).filter(([, markdown]) => findUnsafe(toHtml(markdown)).length === 0)

  assert.deepEqual(
    safe.map(([name]) => name),
    DISARMED_BY_MARKDOWN,
  )
})

test('the HTML of vectors that are cut and joined at any place is safe', () => {
  const vectors = Object.values(XSS_VECTORS)
  const part = fc
    .tuple(fc.constantFrom(...vectors), fc.nat(), fc.nat())
    .map(([vector, from, length]) => vector.slice(from % vector.length).slice(0, 1 + (length % 60)))
  const glue = fc.constantFrom(
    '',
    ' ',
    '\n',
    '\n\n',
    '"',
    "'",
    '>',
    '<',
    '</',
    '&lt;',
    '&#60;',
    '`',
    '[',
    '> ',
    '\0',
  )
  const text = fc.array(fc.tuple(part, glue), { minLength: 1, maxLength: 6 })

  fc.assert(
    fc.property(text, (parts) => assertSafe(toSafeHtml(parts.flat().join('')))),
    { numRuns: 1_000 },
  )
})

test('rendering sanitized HTML a second time changes nothing', () => {
  for (const markdown of Object.values(XSS_VECTORS)) {
    const once = toSafeHtml(markdown)
    assertSafe(toSafeHtml(once), markdown)
  }
})

const KEPT: Record<string, [markdown: string, html: string]> = {
  'headings and emphasis': ['# A *b* **c** ~~d~~', '<h1>A <em>b</em> <strong>c</strong> <s>d</s></h1>\n'],
  'a link with a title': [
    '[a](https://x.example "t")',
    '<p><a href="https://x.example" title="t">a</a></p>\n',
  ],
  'a bare address': ['https://x.example', '<p><a href="https://x.example">https://x.example</a></p>\n'],
  'a link within the shop': ['[a](/terms)', '<p><a href="/terms">a</a></p>\n'],
  'a mail address': ['a@x.example', '<p><a href="mailto:a@x.example">a@x.example</a></p>\n'],
  'a telephone number': ['<a href="tel:+4940">a</a>', '<p><a href="tel:+4940">a</a></p>\n'],
  'an image': ['![a](https://x.example/a.png)', '<p><img src="https://x.example/a.png" alt="a" /></p>\n'],
  'a list from 3': ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n'],
  'code with angle brackets': ['`<b>`', '<p><code>&lt;b&gt;</code></p>\n'],
  'a table with alignment': [
    'a|b\n:-|-:\n1|2',
    '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td align="left">1</td>\n<td align="right">2</td>\n</tr>\n</tbody>\n</table>\n',
  ],
  'HTML that Markdown lacks': ['H<sub>2</sub>O<br>x', '<p>H<sub>2</sub>O<br />x</p>\n'],
  'an umlaut and an emoji': ['Größe 📦', '<p>Größe 📦</p>\n'],
  'less than and an ampersand': ['a < b & c', '<p>a &lt; b &amp; c</p>\n'],
}

for (const [name, [markdown, html]] of Object.entries(KEPT))
  test(`${name} stays`, () => {
    assert.equal(toSafeHtml(markdown), html)
  })

test('an unknown style of a cell is removed', () => {
  const html = toSafeHtml('<table><tr><td style="text-align:right;color:red">a</td></tr></table>')

  assert.equal(html, '<table><tr><td>a</td></tr></table>')
})
