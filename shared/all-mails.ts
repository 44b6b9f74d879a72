/** Loads every domain's kinds of mail, so that the worker can write all of them. A test keeps the list whole. */
import './accounts/mails/new-sign-in.ts'
import './accounts/mails/password-changed.ts'
import './accounts/mails/reset-password.ts'
import './accounts/mails/two-factor-switched.ts'
import './accounts/mails/verify-email.ts'
import './questions/mails.ts'
import './staff/mails/invitation.ts'
import './webhooks/mails.ts'
