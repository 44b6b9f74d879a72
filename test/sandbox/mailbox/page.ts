import type { Mail } from './mails.ts'

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
details { border: 1px solid #ccc; border-radius: 6px; margin: .5rem 0; padding: .5rem 1rem }
summary { cursor: pointer } small { color: #555 } pre { white-space: pre-wrap; overflow-wrap: anywhere }
iframe { width: 100%; height: 24rem; border: 1px solid #ccc }`

/** A plain list of mails, with the newest open. */
export const mailsPage = (mails: Mail[]) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mailbox (${mails.length})</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body><h1>Mailbox</h1>
<p>${mails.length ? 'Newest first.' : 'No mail yet.'} <a href="/mails">The same as JSON</a></p>
${mails.map((mail, index) => mailItem(mail, index === 0)).join('\n')}
</body></html>`

const mailItem = ({ to, from, subject, text, html, received_at }: Mail, open: boolean) =>
  `<details${open ? ' open' : ''}><summary><strong>${escaped(subject || '(no subject)')}</strong>
<small>to ${escaped(to.join(', '))} from ${escaped(from)}, ${received_at}</small></summary>
${text ? `<pre>${linked(escaped(text))}</pre>` : ''}
${html ? `<iframe sandbox srcdoc="${escaped(html)}" title="As HTML"></iframe>` : ''}</details>`

const linked = (markup: string) =>
  markup.replace(/https?:\/\/[^\s<>]+/g, (address) => `<a href="${address}" rel="noreferrer">${address}</a>`)

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
