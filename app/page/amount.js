// Money as stated. The currency is written as its code: "$" belongs to some twenty countries.

import { locale, t } from "./i18n.js";

function format(value, currency) {
  const plain = { maximumFractionDigits: Number.isInteger(value) ? 0 : 2, minimumFractionDigits: 0 };
  try {
    const style = currency ? { style: "currency", currency, currencyDisplay: "code" } : {};
    return new Intl.NumberFormat(locale(), { ...plain, ...style });
  } catch {
    return new Intl.NumberFormat(locale(), plain); // not a currency code: its text is put before the figure
  }
}

// `currency` where the formatter could not take it in
function foreign(formatter, currency) {
  return currency && formatter.resolvedOptions().style !== "currency" ? `${currency} ` : "";
}

function money(value, currency) {
  const formatter = format(value, currency);
  return foreign(formatter, currency) + formatter.format(value);
}

function span(low, high, currency) {
  if (low > high) return t("amount.range", { low: money(low, currency), high: money(high, currency) });
  const formatter = format(low, currency);
  return foreign(formatter, currency) + formatter.formatRange(low, high);
}

function range({ min, max, currency }) {
  const low = min ?? null;
  const high = max ?? null;
  if (low !== null && high !== null && low !== high) return span(low, high, currency);
  if (low !== null && high === null) return t("amount.from", { low: money(low, currency) });
  if (low === null) return t("amount.upto", { high: money(high, currency) });
  return money(low, currency);
}

/** The amount in words and figures, or null when nothing is stated. */
export function amountText(amount) {
  if (!amount) return null;
  if ((amount.min ?? null) === null && (amount.max ?? null) === null) return amount.text || null;
  const figure = range(amount);
  return amount.period ? t(`amount.${amount.period}`, { figure }) : figure;
}
