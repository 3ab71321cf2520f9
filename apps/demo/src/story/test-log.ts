const cases = [
  'login form: accepts an address and sends a code',
  'login form: explains an address without an @',
  'code form: accepts the code of the newest e-mail',
  'code form: refuses the code of an older e-mail',
  'code form: refuses a code after 15 minutes',
  'code form: explains that five attempts have failed',
  'menu: shows the name of the customer on every page',
  'devices: lists the devices with their last visit',
  'devices: ends the sessions on all other devices',
  'order: keeps the basket of a customer who logs in',
];

const repetitions = 70;

/** A log as a test runner writes it: about 60,000 characters, the same on each call. */
export function testLog(browser: string): string {
  const lines = Array.from({ length: repetitions * cases.length }, (_, nth) => {
    const milliseconds = 180 + ((nth * 37) % 420);
    const repetition = Math.floor(nth / cases.length) + 1;
    return `${browser} #${repetition} passed in ${milliseconds} ms: ${cases[nth % cases.length]}`;
  });
  return lines.join('\n');
}
