/** The last paragraph of mails to a person whom a store has added to its staff, who may know nothing of it. */
export const HOW_TO_LEAVE = {
  en:
    'If that is a mistake, choose a password, sign in, and delete your account. Then you have left the store, and ' +
    'your address is free again.',
  de:
    'Ist das ein Irrtum, wählen Sie ein Passwort, melden Sie sich an und löschen Sie Ihr Konto. Damit verlassen Sie ' +
    'den Shop, und Ihre Adresse ist wieder frei.',
}
