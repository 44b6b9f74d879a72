import { failureTexts } from '#shared/subscription-mails/mails/failure-reasons.ts'
import type { CardSettings } from './browser-library.ts'
import { writeDocument } from './document.ts'
import { cardForm, PAYMENT_TEXTS, signInForm } from './payment-forms.ts'
import { SUBSCRIPTION_TEXTS } from './subscription-texts.ts'
import { COMMON, type Language } from './texts.ts'

/**
 * Returns the page of a mailed link on which a customer pays for, changes or cancels a subscription, or replaces its
 * card. Its script is `scripts/subscription.js`.
 */
export function writeSubscriptionPage(language: Language, cards: CardSettings | null): string {
  const { lead, ...texts } = SUBSCRIPTION_TEXTS[language]
  const { noScript, incomplete } = COMMON[language]
  return writeDocument({
    language,
    title: texts.title,
    script: 'subscription.js',
    settings: {
      cards,
      texts: { ...PAYMENT_TEXTS[language], ...texts, incomplete, failures: failureTexts(language) },
    },
    main: `<h1>${texts.title}</h1>
${signInForm(language, lead)}
<section id="subscription" hidden>
<p id="state"></p>
<p id="failure"></p>
<table id="facts"></table>
<p id="next"></p>
<table id="amounts"></table>
<div id="actions"></div>
</section>
${cardForm(language)}
<p role="status"></p>
<p><a href="/">${texts.shop}</a></p>
<dialog><p></p><form method="dialog"></form></dialog>
<noscript>${noScript}</noscript>`,
  })
}
