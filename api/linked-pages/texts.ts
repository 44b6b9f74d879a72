import type { MailLanguage } from '#shared/mail/define-mail.ts'

/** The texts of a page. Error messages come from the API. */
interface Texts {
  title: string
  /** The text above the fields. */
  lead: string
  button: string
  done: string
}

interface Common {
  email: string
  formerEmail: string
  password: string
  newPassword: string
  code: string
  /** The URL has no token. */
  incomplete: string
  unreachable: string
  noScript: string
}

export type PageName = 'verify_email' | 'reset_password' | 'change_email'
export type Language = MailLanguage

export const COMMON: Record<Language, Common> = {
  en: {
    email: 'Your e-mail address',
    formerEmail: 'Your e-mail address so far',
    password: 'Password',
    newPassword: 'New password, 8 characters or more',
    code: 'Code of your authenticator app, if you use one',
    incomplete: 'This link is not complete. Open it from the mail once more, or copy all of it.',
    unreachable: 'The service cannot be reached. Try again in a moment.',
    noScript: 'This page needs JavaScript.',
  },
  de: {
    email: 'Ihre E-Mail-Adresse',
    formerEmail: 'Ihre bisherige E-Mail-Adresse',
    password: 'Passwort',
    newPassword: 'Neues Passwort, mindestens 8 Zeichen',
    code: 'Code Ihrer Authentifizierungs-App, falls Sie eine nutzen',
    incomplete:
      'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail, oder kopieren Sie ihn ganz.',
    unreachable: 'Der Dienst ist nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    noScript: 'Diese Seite braucht JavaScript.',
  },
}

export const TEXTS: Record<PageName, Record<Language, Texts>> = {
  verify_email: {
    en: {
      title: 'Confirm your e-mail address',
      lead: 'Sign in to confirm that the account is yours. If you did not open one, close this page.',
      button: 'Confirm',
      done: 'Thank you: your address is confirmed. You can close this page.',
    },
    de: {
      title: 'E-Mail-Adresse bestätigen',
      lead:
        'Melden Sie sich an, um zu bestätigen, dass das Konto Ihres ist. Haben Sie keines eröffnet, schließen Sie ' +
        'diese Seite.',
      button: 'Bestätigen',
      done: 'Vielen Dank: Ihre Adresse ist bestätigt. Sie können diese Seite schließen.',
    },
  },
  reset_password: {
    en: {
      title: 'Choose a new password',
      lead: 'You will be signed out wherever you are signed in.',
      button: 'Save',
      done: 'Your new password is saved. You can sign in with it now.',
    },
    de: {
      title: 'Neues Passwort wählen',
      lead: 'Sie werden überall abgemeldet, wo Sie angemeldet sind.',
      button: 'Speichern',
      done: 'Ihr neues Passwort ist gespeichert. Sie können sich jetzt damit anmelden.',
    },
  },
  change_email: {
    en: {
      title: 'Change your e-mail address',
      lead:
        'Sign in, so that nobody else can move your account. You will be signed out wherever else you are ' +
        'signed in.',
      button: 'Change it',
      done: 'Your address is changed. From now on you sign in with the new one.',
    },
    de: {
      title: 'E-Mail-Adresse ändern',
      lead: 'Melden Sie sich an, damit niemand sonst Ihr Konto umzieht. Überall sonst werden Sie abgemeldet.',
      button: 'Ändern',
      done: 'Ihre Adresse ist geändert. Ab jetzt melden Sie sich mit der neuen an.',
    },
  },
}
