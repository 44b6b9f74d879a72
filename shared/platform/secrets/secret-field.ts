const SECRET =
  /(^|_)(password|secret|secrets|token|tokens|totp|credentials|iban|api_key|private_key|recovery_codes?|payout_details|voucher_code|otpauth_uri|qr_svg)(_hash)?$|^key$/

/** Whether a field or column with this name contains a secret. No audit entry and no error shows its value. */
export const isSecretField = (name: string): boolean => SECRET.test(snakeCase(name))

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
