import { expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';
import { openConnection, queryBytes } from '../../helpers/raw-connection.ts';

it('a response that its client does not read is cut after the deadline of its request', async () => {
  const gateway = await startGateway({
    server: { requestTimeoutMs: 3000, maxResponseBytes: 2 ** 26 },
  });
  await gateway.load();
  // More than fits into the buffers of the system.
  gateway.dms.reply('GET', /docForm/, {
    _id: '5'.repeat(24),
    valuesByTags: { t: 'x'.repeat(2 ** 21) },
  });
  const aliases = Array.from({ length: 16 }, (_, n) => `a${n}: valuesByTags`).join(' ');
  const socket = openConnection(gateway.url);
  socket.pause();
  socket.write(queryBytes(`{ document(id: "D-1") { ${aliases} } }`));
  await expect.poll(() => gateway.log).toMatchObject([{ status: 200, outcome: 'CANCELLED' }]);
});
