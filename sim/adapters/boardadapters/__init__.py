"""The games for libraries of reinforcement learning, a module each: `pettingzoo_env`, `gymnasium_env`,
`openspiel_game`. Each needs the library that its extra brings."""
