/** Common signs and names of units of measure, and their codes in UN/ECE Recommendation 20. */
const KNOWN = new Set(
  (
    'pcs, pc, piece, pieces, ea, each, unit, units, st, stk, c62, h87, ' +
    'pair, pairs, pr, set, sets, dozen, dzn, pack, pk, box, bx, case, roll, bottle, ' +
    'mg, mgm, g, grm, kg, kgm, t, tne, oz, onz, lb, lbr, ' +
    'mm, mmt, cm, cmt, m, mtr, km, kmt, in, inh, ft, fot, yd, yrd, ' +
    'ml, mlt, cl, clt, l, ltr, hl, hlt, gal, gll, pt, qt, fl oz, oza, ' +
    'cm2, cmk, m2, mtk, m3, mtq, sq m, cu m, m², m³, ' +
    'min, h, hr, hur, hour, hours, day, days, month, mon, year, ann'
  ).split(', '),
)

/** Whether a unit is common. Letter case and a trailing dot do not matter. */
export const isKnownUnit = (unit: string): boolean => KNOWN.has(unit.trim().toLowerCase().replace(/\.$/, ''))
