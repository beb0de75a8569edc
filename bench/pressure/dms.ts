/** The upstream of `bench:pressure`: documents by any ID. That of `DOC-LARGE` is large. */
import { createServer } from 'node:http';

const LARGE_BYTES = 5_000_000;
const document = { _id: '64d0c0000000000000000001', _id_web: 'DOC-1' };
const small = JSON.stringify(document);
const large = JSON.stringify({ ...document, valuesByTags: { text: 'x'.repeat(LARGE_BYTES) } });

createServer((incoming, response) => {
  incoming.resume().once('end', () => {
    response.setHeader('content-type', 'application/json;charset=UTF-8');
    response.end(incoming.url?.includes('DOC-LARGE') ? large : small);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
