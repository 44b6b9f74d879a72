import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderLetter } from '#shared/mail/letter.ts'

const letter = {
  subject: 'Tea & <b>biscuits</b>',
  blocks: [
    'Dear "Ada" <script>alert(1)</script>',
    { label: 'Open', url: "https://shop.example/x?a=1&b='2'" },
    { facts: [['Name', '<img src=x>']] as const },
  ],
}

test('both forms say the same; what strangers wrote stays text', () => {
  const { subject, text, html } = renderLetter(letter, 'Söhne & Co', 'de')

  assert.equal(subject, letter.subject)
  assert.equal(
    text,
    'Dear "Ada" <script>alert(1)</script>\n\n' +
      "Open:\nhttps://shop.example/x?a=1&b='2'\n\nName: <img src=x>\n\nSöhne & Co\n",
  )
  assert.match(html, /<p>Dear &quot;Ada&quot; &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/p>/)
  assert.match(html, /<a href="https:\/\/shop\.example\/x\?a=1&amp;b=&#39;2&#39;"/)
  assert.match(html, /<dd[^>]*>&lt;img src=x&gt;<\/dd>/)
  assert.match(html, /<p>Söhne &amp; Co<\/p>/)
})

test('the page names its language and title and fetches nothing', () => {
  const { html } = renderLetter(letter, 'Shop', 'de')

  assert.match(html, /<html lang="de">/)
  assert.match(html, /<title>Tea &amp; &lt;b&gt;biscuits&lt;\/b&gt;<\/title>/)
  assert.doesNotMatch(html, /<(img|script|link|iframe)|url\(/)
})

test('a picture is shown as HTML, and named as text', () => {
  const blocks = [{ image: 'https://images.example/a.png?x="y"', alt: 'A <gift>' }]

  const { text, html } = renderLetter({ subject: 'Tea', blocks }, 'Shop', 'en')

  assert.equal(text, 'A <gift>\n\nShop\n')
  assert.match(html, /<img src="https:\/\/images\.example\/a\.png\?x=&quot;y&quot;" alt="A &lt;gift&gt;"/)
})
