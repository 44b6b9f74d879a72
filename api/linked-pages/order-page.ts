import type { CardSettings } from './browser-library.ts'
import { writeDocument } from './document.ts'
import { ORDER_TEXTS } from './order-texts.ts'
import { cardForm, PAYMENT_TEXTS, signInForm } from './payment-forms.ts'
import { COMMON, type Language } from './texts.ts'

/** Returns the page that shows the order of a mailed link and takes its payment. Its script is `scripts/order.js`. */
export function writeOrderPage(language: Language, cards: CardSettings | null): string {
  const { lead, ...texts } = ORDER_TEXTS[language]
  const { noScript, incomplete } = COMMON[language]
  return writeDocument({
    language,
    title: texts.title,
    script: 'order.js',
    settings: { cards, texts: { ...PAYMENT_TEXTS[language], ...texts, incomplete } },
    main: `<h1>${texts.title} <span id="number"></span></h1>
<p id="state"></p>
${signInForm(language, lead)}
<table></table>
<button id="pay" type="button" hidden></button>
${cardForm(language)}
<p role="status"></p>
<p><a href="/">${texts.shop}</a></p>
<noscript>${noScript}</noscript>`,
  })
}
