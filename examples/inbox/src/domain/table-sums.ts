/** Columns of the sandbox's tables whose sum says nothing: positions and prices of a single piece. */
export const unsummedColumns: readonly string[] = ['Pos', 'Price'];

/** Tables of the sandbox with the column whose sum another field of the document has. */
export const totals: Readonly<Record<string, { readonly column: string; readonly field: string }>> =
  {
    lines: { column: 'Amount', field: 'total' },
  };

/** Columns of the sandbox's tables of which the first two, multiplied, are the third. */
const product = ['Quantity', 'Price', 'Amount'] as const;

/** Returns the rows whose amount is not the quantity times the price, rounded to the decimal places of the amount. */
export function wrongProducts(columns: readonly string[], rows: readonly (readonly string[])[]) {
  return rows.flatMap((cells, row) => {
    const [quantity = '', price = '', amount = ''] = product.map(
      (name) => cells[columns.indexOf(name)],
    );
    const numbers = [quantity, price, amount].map((text) => (text === '' ? NaN : Number(text)));
    const [factor = NaN, perPiece = NaN, total = NaN] = numbers;
    const places = amount.split('.')[1]?.length ?? 0;
    const difference = Math.abs(factor * perPiece - total);
    // Also false for what is no number.
    if (!(difference > 0.5 * 10 ** -places + 1e-6)) return [];
    const expected = (factor * perPiece).toFixed(Math.max(2, places));
    return [{ row, quantity, price, amount, product: expected }];
  });
}

export function sumOf(numbers: readonly string[]): string {
  const places = Math.max(0, ...numbers.map((number) => number.split('.')[1]?.length ?? 0));
  const units = numbers.map((number) => {
    const [whole = '', fraction = ''] = number.split('.');
    return BigInt(`${whole}${fraction.padEnd(places, '0')}` || '0');
  });
  const sum = units.reduce((total, unit) => total + unit, 0n);
  const digits = `${sum < 0n ? -sum : sum}`.padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return sum < 0n ? `-${text}` : text;
}

export function differenceOf(one: string, other: string): string | null {
  const negated = other.startsWith('-') ? other.slice(1) : `-${other}`;
  const difference = sumOf([one, negated]).replace('-', '');
  return /[1-9]/.test(difference) ? difference : null;
}
