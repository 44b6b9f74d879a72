import type { Language } from './texts.ts'

const TEXTS: Record<Language, Record<string, string>> = {
  en: {
    title: 'Your order',
    discount: 'Discount',
    shipping: 'Shipping',
    rounding: 'Rounding',
    including: 'incl.',
    total: 'Total',
    voucher: 'Paid by gift voucher',
    refundedAmount: 'Refunded',
    shop: 'To the shop',
    incomplete: 'This link is not complete. Open it from the mail once more, or copy all of it.',
    unreachable: 'The service cannot be reached. Try again in a moment.',
    noScript: 'This page needs JavaScript.',
    signIn: 'Sign in to your account in the shop to see this order, and to pay it if it is not paid.',
    unpaid: 'This order is not paid yet. Open the shop to pay it.',
    pending: 'received',
    processing: 'being prepared',
    failed: 'payment failed',
    shipped: 'shipped',
    complete: 'complete',
    canceled: 'canceled',
    refunded: 'refunded',
  },
  de: {
    title: 'Ihre Bestellung',
    discount: 'Rabatt',
    shipping: 'Versand',
    rounding: 'Rundung',
    including: 'inkl.',
    total: 'Gesamtbetrag',
    voucher: 'Mit Geschenkgutschein bezahlt',
    refundedAmount: 'Erstattet',
    shop: 'Zum Shop',
    incomplete:
      'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail, oder kopieren Sie ihn ganz.',
    unreachable: 'Der Dienst ist nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    noScript: 'Diese Seite braucht JavaScript.',
    signIn:
      'Melden Sie sich im Shop in Ihrem Konto an, um diese Bestellung zu sehen und, falls sie offen ist, zu bezahlen.',
    unpaid: 'Diese Bestellung ist noch nicht bezahlt. Bezahlen Sie sie im Shop.',
    pending: 'eingegangen',
    processing: 'in Bearbeitung',
    failed: 'Zahlung fehlgeschlagen',
    shipped: 'versandt',
    complete: 'abgeschlossen',
    canceled: 'storniert',
    refunded: 'erstattet',
  },
}

/** The page that shows the order of a mailed link. `ORDER_SCRIPT` reads it from the store of the page's domain. */
export function writeOrderPage(language: Language): string {
  const texts = TEXTS[language]
  const data = Object.entries(texts).map(([name, text]) => `data-${name.toLowerCase()}="${text}"`)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<link rel="stylesheet" href="/pages/page.css">
<script src="/pages/order.js" defer></script>
</head>
<body>
<main ${data.join(' ')}>
<h1>${texts.title}</h1>
<p id="state"></p>
<table></table>
<p role="status"></p>
<p><a href="/">${texts.shop}</a></p>
<noscript>${texts.noScript}</noscript>
</main>
</body>
</html>
`
}

/**
 * The script of the order page. Order and token are in the fragment, and are removed from the URL and the history at
 * once. A link without a token is to a customer's order, which only the signed-in customer reads.
 */
export const ORDER_SCRIPT = `
const main = document.querySelector('main')
const status = document.querySelector('[role=status]')
const link = new URLSearchParams(location.hash.slice(1))
const id = link.get('order')
const token = link.get('token')
history.replaceState(null, '', location.pathname)

const say = (text) => { status.textContent = text }

function show(order) {
  const money = new Intl.NumberFormat(document.documentElement.lang, { style: 'currency', currency: order.currency })
  document.querySelector('h1').textContent += ' ' + order.number
  document.querySelector('#state').textContent = main.dataset[order.status]
  const row = (name, amount) => {
    const cells = document.querySelector('table').insertRow()
    cells.insertCell().textContent = name
    cells.insertCell().textContent = money.format(amount)
  }
  for (const { quantity, name, line_total } of order.items) row(quantity + ' × ' + name, line_total)
  const unlessZero = (name, amount) => { if (amount !== 0) row(name, amount) }
  const { discount, shipping, rounding, including, total, voucher, refundedamount } = main.dataset
  unlessZero(discount, -order.discount_total)
  unlessZero(shipping, order.shipping_total)
  const taxes = () => {
    for (const { name, amount } of order.taxes) row(order.prices_include_tax ? including + ' ' + name : name, amount)
  }
  if (!order.prices_include_tax) taxes()
  unlessZero(rounding, order.rounding_total)
  row(total, order.total)
  if (order.prices_include_tax) taxes()
  unlessZero(voucher, order.voucher_total)
  unlessZero(refundedamount, order.amount_refunded)
  if (order.payment_status === 'unpaid' && ['pending', 'failed'].includes(order.status)) say(main.dataset.unpaid)
}

async function load() {
  const query = token ? '?access_token=' + encodeURIComponent(token) : ''
  const response = await fetch('/api/v1/orders/' + encodeURIComponent(id) + query)
  const { data, error } = await response.json()
  if (response.ok) show(data)
  else say(!token && response.status < 500 ? main.dataset.signin : error)
}

if (id) load().catch(() => say(main.dataset.unreachable))
else say(main.dataset.incomplete)
`
