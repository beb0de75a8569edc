import { parseArgs } from 'node:util';
import { startSandbox } from './index.ts';

const usage = 'Usage: node sandbox/main.ts [--host ADDRESS] [--port NUMBER] [--data-dir FOLDER]';
const values = readArguments();

const sandbox = await startSandbox({
  dataDir: values['data-dir'],
  port: Number(values.port),
  host: values.host,
});

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '4010' },
        host: { type: 'string', default: '127.0.0.1' },
        'data-dir': { type: 'string', default: '.data' },
      },
    }).values;
  } catch (error) {
    const [problem] = (error as Error).message.split('. ');
    process.stderr.write(`${problem}\n${usage}\n`);
    return process.exit(1);
  }
}

let closing = false;
function stop(): void {
  if (closing) process.exit(1); // exit at once on the second signal
  closing = true;
  void sandbox.close().then(() => process.exit(0));
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// Written last, because its reader may send a signal at once.
process.stdout.write(`${sandbox.url}\nAuthorization: ${sandbox.authorization}\n`);
