/** The values of an invoice that each client writes and reads. */
export const values = {
  number: 'RE-1',
  total: '12345678901234567890.10',
  dueDate: '2026-03-01',
  supplier: 'erp-0001',
  items: [{ article: 'Paper', quantity: '2', amount: '25.80' }],
};

/** URL of the endpoint, from the command line. */
export const url = process.argv[2]!;

/** Writes what a client has read to the standard output, without the types that it adds. */
export function report(result: object): void {
  process.stdout.write(
    JSON.stringify(result, (name, value: unknown) => (name === '__typename' ? undefined : value)),
  );
}
