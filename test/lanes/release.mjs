import { mochaOf } from './lanes.mjs';

export default mochaOf('release');
