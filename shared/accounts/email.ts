import { foldCase } from '../platform/fold-case.ts'

/**
 * The form in which e-mail addresses are compared (decisions, section 3). Mail goes to the address as its owner wrote
 * it, never to this form.
 */
export const normalizeEmail = foldCase
