import { COMMON, type Language } from './texts.ts'

interface Texts {
  email: string
  signIn: string
  payByCard: string
  giveCard: string
  payNow: string
  saveCard: string
  back: string
  again: string
  unavailable: string
  waiting: string
  paid: string
  underWay: string
  notPaid: string
  signInForOutcome: string
  unreachable: string
  /** The texts by error code. For other errors the page shows the API's text. */
  errors: Record<string, string>
}

/** The texts of the sign-in form and the card form. */
export const PAYMENT_TEXTS: Record<Language, Texts> = {
  en: {
    email: 'E-mail address',
    signIn: 'Sign in',
    payByCard: 'Pay here',
    giveCard: 'Give your card',
    payNow: 'Pay',
    saveCard: 'Save this card',
    back: 'Back',
    again: 'That is no longer possible with this form. Start again.',
    unavailable: 'The bank cannot be reached now. Nothing was charged. Try again in a moment.',
    waiting: 'One moment: we wait for the bank.',
    paid: 'Thank you: your payment has arrived.',
    underWay: 'Your payment is under way. We write to you as soon as it has arrived.',
    notPaid: 'Your bank did not confirm it. You can try again.',
    signInForOutcome: 'You are back from your bank. Sign in to see the outcome.',
    unreachable: COMMON.en.unreachable,
    errors: {
      'auth.invalid_credentials': 'The e-mail address or the password is wrong.',
      'auth.totp_required': 'Enter the code of your authenticator app too.',
      'auth.totp_invalid': 'The code is wrong or used. Enter the next one.',
      'auth.token_expired': 'You were signed out after a while. Load this page again and sign in.',
      'auth.session_revoked': 'You were signed out. Load this page again and sign in.',
      'resource.not_found': 'We find nothing for this link. Check that you use the link of the last mail.',
      'order.not_payable': 'This order cannot be paid now. Load this page again to see its status.',
      'checkout.insufficient_stock': 'The goods are not in stock any more, so the order cannot be paid.',
      'subscription.charge_in_progress': 'A charge is being made at this moment. Try again in some seconds.',
      'rate_limit.exceeded': 'Too many attempts. Try again in a minute.',
    },
  },
  de: {
    email: 'E-Mail-Adresse',
    signIn: 'Anmelden',
    payByCard: 'Hier bezahlen',
    giveCard: 'Karte angeben',
    payNow: 'Bezahlen:',
    saveCard: 'Diese Karte speichern',
    back: 'Zurück',
    again: 'Mit diesem Formular ist das nicht mehr möglich. Beginnen Sie noch einmal.',
    unavailable:
      'Die Bank ist gerade nicht erreichbar. Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal.',
    waiting: 'Einen Moment: Wir warten auf die Bank.',
    paid: 'Vielen Dank: Ihre Zahlung ist eingegangen.',
    underWay: 'Ihre Zahlung ist unterwegs. Wir schreiben Ihnen, sobald sie eingegangen ist.',
    notPaid: 'Ihre Bank hat nicht zugestimmt. Sie können es noch einmal versuchen.',
    signInForOutcome: 'Sie sind von Ihrer Bank zurück. Melden Sie sich an, um das Ergebnis zu sehen.',
    unreachable: COMMON.de.unreachable,
    errors: {
      'auth.invalid_credentials': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
      'auth.totp_required': 'Geben Sie auch den Code Ihrer Authentifizierungs-App ein.',
      'auth.totp_invalid': 'Der Code ist falsch oder verbraucht. Geben Sie den nächsten ein.',
      'auth.token_expired':
        'Sie wurden nach einiger Zeit abgemeldet. Laden Sie die Seite neu und melden Sie sich an.',
      'auth.session_revoked': 'Sie wurden abgemeldet. Laden Sie die Seite neu und melden Sie sich an.',
      'resource.not_found':
        'Zu diesem Link finden wir nichts. Prüfen Sie, ob Sie den Link der letzten E-Mail benutzen.',
      'order.not_payable':
        'Diese Bestellung kann jetzt nicht bezahlt werden. Laden Sie die Seite neu, um den Stand zu sehen.',
      'checkout.insufficient_stock':
        'Die Ware ist nicht mehr vorrätig. Deshalb kann die Bestellung nicht bezahlt werden.',
      'subscription.charge_in_progress':
        'In diesem Moment wird abgebucht. Versuchen Sie es in einigen Sekunden noch einmal.',
      'rate_limit.exceeded': 'Zu viele Versuche. Versuchen Sie es in einer Minute noch einmal.',
    },
  },
}

/**
 * Returns the form with which a customer signs in on a page. It asks for a code if the account needs one. It has the
 * method post, because without the script the browser would put the password into the URL.
 */
export function signInForm(language: Language, lead: string): string {
  const { password, code } = COMMON[language]
  const { email, signIn } = PAYMENT_TEXTS[language]
  return `<form id="sign-in" method="post" hidden>
<p>${lead}</p>
<label>${email}<input name="email" type="email" autocomplete="username" required></label>
<label>${password}<input name="password" type="password" autocomplete="current-password" required></label>
<label id="code" hidden>${code}<input name="totp_code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}"></label>
<button>${signIn}</button>
</form>`
}

/** Returns the form in which the gateway's library asks for a card. */
export const cardForm = (language: Language): string => `<form id="card-form" method="post" hidden>
<div id="card"></div>
<button></button>
<button type="button">${PAYMENT_TEXTS[language].back}</button>
</form>`
