export { type CountTokens, defaultTokens, highestBudget } from './budget.js';
export { agentsBlock, withAgentsBlock } from './agents-block.js';
export { clientConfiguration, type Launch, remoteConfiguration } from './client-configuration.js';
export { type Caller, McpEndpoint } from './http-endpoint.js';
export { type Principal, readPrincipal } from './principal.js';
export { createThroughlineMcpServer, type ServerOptions } from './server.js';
export { skillText } from './skill-text.js';
export { serveMcpOnStdio } from './stdio-endpoint.js';
