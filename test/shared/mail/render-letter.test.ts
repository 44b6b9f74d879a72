import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderLetter } from '#shared/mail/render-letter.ts'

const shop = { name: 'Shop', language: 'de', branding: { logo_url: null, color: null } }

const letter = {
  subject: 'Tea & <b>biscuits</b>',
  blocks: [
    'Dear "Ada" <script>alert(1)</script>',
    { label: 'Open', url: "https://shop.example/x?a=1&b='2'" },
    { facts: [['Name', '<img src=x>']] as const },
  ],
}

test('HTML and text have the same content; markup in data is escaped', () => {
  const { subject, text, html } = renderLetter(letter, { ...shop, name: 'Söhne & Co' })

  assert.equal(subject, letter.subject)
  assert.equal(
    text,
    'Dear "Ada" <script>alert(1)</script>\n\n' +
      "Open:\nhttps://shop.example/x?a=1&b='2'\n\nName: <img src=x>\n\nSöhne & Co\n",
  )
  assert.match(html, /<p>Dear &quot;Ada&quot; &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/p>/)
  assert.match(html, /<a class="button" href="https:\/\/shop\.example\/x\?a=1&amp;b=&#39;2&#39;"/)
  assert.match(html, /<dd[^>]*>&lt;img src=x&gt;<\/dd>/)
  assert.match(html, /<p>Söhne &amp; Co<\/p>/)
})

test('the page names its language and title and fetches nothing', () => {
  const { html } = renderLetter(letter, shop)

  assert.match(html, /<html lang="de">/)
  assert.match(html, /<title>Tea &amp; &lt;b&gt;biscuits&lt;\/b&gt;<\/title>/)
  assert.doesNotMatch(html, /<(img|script|link|iframe)|url\(/)
})

test('a picture is shown as HTML, and named as text', () => {
  const blocks = [{ image: 'https://images.example/a.png?x="y"', alt: 'A <gift>' }]

  const { text, html } = renderLetter({ subject: 'Tea', blocks }, shop)

  assert.equal(text, 'A <gift>\n\nShop\n')
  assert.match(html, /<img src="https:\/\/images\.example\/a\.png\?x=&quot;y&quot;" alt="A &lt;gift&gt;"/)
})

test('lines and totals are a table, and as text one line each', () => {
  const blocks = [
    {
      lines: [{ name: 'Mug <b>', detail: 'red', quantity: 2, amount: '€20.00' }],
      totals: [['Total', '€25.00']] as const,
    },
  ]

  const { text, html } = renderLetter({ subject: 'Tea', blocks }, shop)

  assert.match(text, /^2 × Mug <b> \(red\): €20\.00\n\nTotal: €25\.00\n/)
  assert.match(html, /2 × Mug &lt;b&gt;<br><small>red<\/small>/)
  assert.match(html, /<th[^>]*>Total<\/th><th[^>]*>€25\.00<\/th>/)
})

test('the logo and the color are the store’s, and the text on a button has contrast', () => {
  const blocks = [{ label: 'Pay', url: 'https://shop.example' }]
  const render = (color: string) =>
    renderLetter(
      { subject: 'Tea', blocks },
      { ...shop, branding: { logo_url: 'https://shop.example/a.png?x=1&y="2"', color } },
    ).html

  assert.match(
    render('#0b5d4e'),
    /<img src="https:\/\/shop\.example\/a\.png\?x=1&amp;y=&quot;2&quot;" alt="Shop"/,
  )
  assert.match(render('#0b5d4e'), /background:#0b5d4e;color:#ffffff/)
  assert.match(render('#ffe08a'), /background:#ffe08a;color:#1b1b1b/)
})
