/** The room of the doctor: `POST /doctor` explains why a game server is not listed, as far as the asker may know it. */

import type { Room } from '../http/context.ts';
import { describedIn, endpointsIn } from '../http/route.ts';
import { OwnAddressProbe } from '../reachability/own-address-probe.ts';
import type { DoctorContext } from './doctor.ts';

const describe = describedIn(() => import('./operations.ts'));

export function openDoctor(context: DoctorContext): Room {
  const ownProbe = new OwnAddressProbe({ verify: context.options.verify, lease: context.registry.lease });
  const endpoint = endpointsIn(async () => {
    const { createDoctor } = await import('./doctor.ts');
    return { doctor: createDoctor({ ...context, probe: ownProbe.probe }) };
  });
  return {
    routes: [
      {
        method: 'POST',
        path: '/doctor',
        access: 'read',
        kind: 'doctor',
        input: 'fields',
        // A question makes the service probe the asker's machine: pages of other sites may do that only if they may
        // write.
        cors: 'writing',
        endpoint: endpoint('doctor'),
        describe: describe('doctor'),
      },
    ],
    close: async () => ownProbe.close(),
  };
}
